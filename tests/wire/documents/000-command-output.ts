interface AskUserQuestionOutput {
  /** 用户答案收集对象，key 为 header，value 为选择内容 */
  answers: Record<string, string>;
}
