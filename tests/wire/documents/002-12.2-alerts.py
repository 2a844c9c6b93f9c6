class AlertManager:
    def __init__(self):
        self.alert_rules = {
            'high_error_rate': {
                'threshold': 0.05,  # 5%错误率
                'window': 300,      # 5分钟窗口
                'action': 'notify_admin'
            },
            'slow_response_time': {
                'threshold': 1000,  # 1秒
                'window': 60,       # 1分钟窗口
                'action': 'scale_up'
            }
        }
    
    def check_alerts(self, metrics):
        """检查是否触发告警"""
        for alert_name, rule in self.alert_rules.items():
            if self._should_trigger_alert(metrics, rule):
                self._trigger_alert(alert_name, rule)
