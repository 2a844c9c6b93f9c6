class SessionRecovery:
    def __init__(self):
        self.checkpoint_interval = 30  # 30秒保存一次检查点
    
    def create_checkpoint(self, session_id, state):
        """创建会话检查点"""
        checkpoint = {
            'session_id': session_id,
            'state': state,
            'timestamp': time.time(),
            'version': self._generate_version()
        }
        
        # 存储检查点
        self.storage.save_checkpoint(checkpoint)
        return checkpoint['version']
    
    def restore_session(self, session_id, checkpoint_version=None):
        """恢复会话"""
        if checkpoint_version:
            checkpoint = self.storage.get_checkpoint(session_id, checkpoint_version)
        else:
            checkpoint = self.storage.get_latest_checkpoint(session_id)
        
        if not checkpoint:
            raise SessionNotFoundError("No checkpoint found")
        
        # 恢复会话状态
        restored_state = checkpoint['state']
        restored_state['restored_at'] = time.time()
        restored_state['restore_reason'] = 'manual_recovery'
        
        return restored_state
