/** 单个问题 */
interface Question {
  /** 完整问题文本 */
  question: string;
  /** 短标签（最多 12 字符） */
  header: string;
  /** 选项列表（2-4 个） */
  options: QuestionOption[];
  /** 是否多选 */
  multiSelect: boolean;
}
