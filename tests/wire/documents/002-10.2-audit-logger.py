import logging
import json

class AuditLogger:
    def __init__(self):
        self.logger = logging.getLogger('audit')
        self.log_format = {
            'timestamp': None,
            'session_id': None,
            'user_id': None,
            'action': None,
            'details': None,
            'ip_address': None
        }
    
    def log_question_interaction(self, session_id, user_id, action, details):
        """记录问答交互日志"""
        log_entry = self.log_format.copy()
        log_entry.update({
            'timestamp': datetime.utcnow().isoformat(),
            'session_id': session_id,
            'user_id': user_id,
            'action': action,  # show, answer, cancel, timeout
            'details': details,
            'ip_address': self._get_client_ip()
        })
        
        self.logger.info(json.dumps(log_entry))
    
    def log_security_event(self, event_type, details, severity='medium'):
        """记录安全事件"""
        security_log = {
            'event_type': event_type,
            'severity': severity,
            'details': details,
            'timestamp': datetime.utcnow().isoformat()
        }
        
        if severity == 'high':
            self.logger.critical(json.dumps(security_log))
        elif severity == 'medium':
            self.logger.warning(json.dumps(security_log))
        else:
            self.logger.info(json.dumps(security_log))
