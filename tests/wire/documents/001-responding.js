sema.on('ask:question:request', (data) => {
  // data.agentId   - 发起问题的代理 ID
  // data.questions - 问题列表（AskQuestion[]）
  // data.metadata  - 可选元数据

  // 收集用户答案后发出响应
  sema.emit('ask:question:response', {
    agentId: data.agentId,
    answers: {
      'question-0': 'react',      // 单选：直接返回选项 label
      'question-1': 'a,b,c',      // 多选：多个选项 label 以逗号分隔
    }
  })
})
