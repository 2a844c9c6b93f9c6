/** 单个选项 */
interface QuestionOption {
  /** 选项显示文本（1-5 词） */
  label: string;
  /** 选项说明 */
  description: string;
}
