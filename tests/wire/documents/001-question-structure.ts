interface Question {
  question: string      // 问题文本（应以问号结尾）
  header: string        // 短标签（最多 12 字符），如 "框架选择"
  options: Option[]     // 2-4 个选项
  multiSelect?: boolean // 是否多选，默认 false
}

interface Option {
  label: string        // 选项显示文本（简洁，1-5 个词）
  description: string  // 选项说明（解释选择该选项的含义及权衡）
}

interface Metadata {
  source?: string      // 问题来源标识，如 "remember"，用于分析追踪
}
