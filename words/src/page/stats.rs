//! Figures about the person's own questions.

phrases! {
    /// The page of the figures.
    Stats {
        title: "Stats" | "统计";
        why: "Your latest questions, up to 2000, since" | "根据你最近的问题统计，最多 2000 个，自";
        none: "No answers yet." | "还没有回答。";
        by_itself: "By rule or default" | "由规则或默认值";
        by_day: "By day" | "按天";
        chart_days[n, days, most]: "{n} question in {days} days, {most} on the busiest. The colored part is what you answered." / "{n} questions in {days} days, {most} on the busiest. The colored part is what you answered." | "{days} 天内 {n} 个问题，最多一天 {most} 个；彩色部分由你回答。";
        response_times: "Response time" | "响应时间";
        chart_times(median, p90): "Half within {median}, 90% within {p90}." | "一半在 {median} 内，90% 在 {p90} 内。";
        up_to(time): "up to {time}" | "{time} 以内";
        longer: "longer" | "更久";
        each_agent: "By agent" | "按智能体";
        chart_agents[n]: "{n} agent asked you." / "{n} agents asked you." | "{n} 个智能体向你提问。";
        most_asked: "Most asked" | "最常提问";
        most_declined: "Most declined" | "最常取消";
        times(n): "{n}×" | "{n} 次";
        as_table: "Show as table" | "以表格显示";
    }
}
