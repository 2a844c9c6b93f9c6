interface AskUserQuestionInput {
  /** 问题列表（1-4 个） */
  questions: Question[];
}
