class ClaudeRunner:
    def _handle_tool_calls(self, tool_calls):
        """处理工具调用"""
        for tool_call in tool_calls:
            if self._is_ask_user_question(tool_call):
                await self._process_ask_user_question(tool_call)
    
    def _is_ask_user_question(self, tool_call):
        """识别AskUserQuestion工具调用"""
        tool_name_lower = tool_call.name.lower()
        # 支持多种名称格式
        if tool_name_lower in ("ask_user_question", "askuserquestion", "askuser"):
            return True
        return False
    
    async def _process_ask_user_question(self, tool_call):
        """处理用户问答请求"""
        question_data = await self._parse_question_data(tool_call.input)
        
        # 生成唯一标识
        question_id = f"{tool_call.id}_{int(time.time())}"
        
        # 发送SSE消息到前端
        await self._send_sse_message({
            'type': 'ask_user_question',
            'question': question_data,
            'question_id': question_id,
            'session_id': self.session_id
        })
