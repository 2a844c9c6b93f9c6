class PerformanceMonitor:
    def __init__(self):
        self.metrics = {
            'question_response_time': [],
            'session_duration': [],
            'concurrent_questions': [],
            'error_rates': []
        }
    
    def record_metric(self, metric_name, value, tags=None):
        """记录性能指标"""
        if metric_name in self.metrics:
            self.metrics[metric_name].append({
                'value': value,
                'timestamp': time.time(),
                'tags': tags or {}
            })
    
    def get_metrics_summary(self, time_window=3600):
        """获取指标摘要"""
        summary = {}
        cutoff_time = time.time() - time_window
        
        for metric_name, records in self.metrics.items():
            recent_records = [r for r in records if r['timestamp'] > cutoff_time]
            if recent_records:
                values = [r['value'] for r in recent_records]
                summary[metric_name] = {
                    'count': len(values),
                    'avg': statistics.mean(values),
                    'min': min(values),
                    'max': max(values),
                    'p95': self._percentile(values, 95)
                }
        
        return summary
