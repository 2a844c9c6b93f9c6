class ErrorHandler:
    def __init__(self):
        self.error_handlers = {}
        self.retry_policies = {}
    
    def register_error_handler(self, error_type, handler):
        """注册错误处理器"""
        self.error_handlers[error_type] = handler
    
    async def handle_error(self, error, context):
        """处理错误"""
        error_type = type(error).__name__
        
        if error_type in self.error_handlers:
            handler = self.error_handlers[error_type]
            return await handler(error, context)
        else:
            # 默认错误处理
            logger.error(f"Unhandled error: {error}", extra=context)
            return self._default_recovery(context)
    
    def _default_recovery(self, context):
        """默认恢复策略"""
        return {
            'status': 'error',
            'message': 'An unexpected error occurred',
            'recovery_action': 'restart_session'
        }
