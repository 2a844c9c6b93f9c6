@dataclass
class QuestionOption:
    """问题选项定义"""
    id: str
    label: str
    description: Optional[str] = None
    default: bool = False

@dataclass
class FollowUpQuestion:
    """后续问题定义"""
    question_id: str
    question_text: str
    type: str
    options: Optional[list[QuestionOption]] = None

@dataclass
class AskUserQuestion:
    """用户问答核心数据结构"""
    question_id: str
    question_text: str
    type: str  # multiple_choice, checkbox, text, boolean
    header: Optional[str] = None
    description: Optional[str] = None
    options: Optional[list[QuestionOption]] = None
    required: bool = True
    follow_up_questions: dict[str, list[FollowUpQuestion]] = field(default_factory=dict)
