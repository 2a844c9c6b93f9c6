class MessageRenderer {
    /**
     * 处理AskUserQuestion工具调用消息
     * @param {Object} message - SSE消息
     */
    handleAskUserQuestion(message) {
        const questionData = this._parseQuestionData(message);
        const sessionId = this._getCurrentSessionId();
        
        // 触发对话框显示
        AskUserQuestionDialog.show(this.runner, questionData, sessionId);
        
        // 更新任务状态
        this.taskManager.updateQuestionStatus(message.id, 'showing');
    }
    
    /**
     * 解析问题数据
     * @param {Object} message - 工具调用消息
     * @returns {Object} 标准化的问题数据
     */
    _parseQuestionData(message) {
        const input = message.input;
        return {
            question_id: input.question_id,
            header: input.header,
            question_text: input.question_text,
            type: input.type,
            options: input.options || [],
            multiSelect: input.multiSelect || false,
            required: input.required !== false
        };
    }
}
