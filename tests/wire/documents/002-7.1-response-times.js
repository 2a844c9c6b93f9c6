// 前端性能优化
class PerformanceOptimizer {
    constructor() {
        this.responseTimings = [];
        this.maxTimingRecords = 1000;
    }
    
    measureResponse(start, end, operation) {
        const duration = end - start;
        this.responseTimings.push({
            operation,
            duration,
            timestamp: Date.now()
        });
        
        // 保持记录数量限制
        if (this.responseTimings.length > this.maxTimingRecords) {
            this.responseTimings.shift();
        }
        
        // 性能告警
        if (duration > 200) {
            console.warn(`Slow operation detected: ${operation} took ${duration}ms`);
        }
    }
    
    getPerformanceMetrics() {
        const recentTimings = this.responseTimings.slice(-100);
        return {
            avgResponseTime: this._calculateAverage(recentTimings),
            p95ResponseTime: this._calculatePercentile(recentTimings, 95),
            slowOperations: recentTimings.filter(t => t.duration > 200).length
        };
    }
}
