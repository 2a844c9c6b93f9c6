# 技术选型
questions: [{
  question: "这个功能使用哪个状态管理库？",
  header: "状态管理",
  options: [
    { label: "Redux Toolkit", description: "成熟方案，适合大型项目" },
    { label: "Zustand", description: "轻量简洁，适合中小型项目" },
    { label: "Jotai", description: "原子化状态，适合细粒度更新" }
  ]
}]

# 多选配置
questions: [{
  question: "需要哪些功能模块？",
  header: "功能模块",
  multiSelect: true,
  options: [
    { label: "用户认证", description: "登录、注册、权限管理" },
    { label: "文件上传", description: "支持图片和文档" },
    { label: "消息推送", description: "WebSocket 实时通知" },
    { label: "数据导出", description: "CSV 和 Excel 格式" }
  ]
}]
