@dataclass
class SessionState:
    """会话状态管理"""
    session_id: str
    status: str  # active, completed, timeout
    current_questions: list[str]  # 当前活跃的问答ID列表
    answered_questions: dict[str, Any]  # 已回答问题记录
    created_at: datetime
    last_activity: datetime
