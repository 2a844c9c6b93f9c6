class IntegrationTests:
    def test_full_conversation_flow(self):
        """测试完整对话流程"""
        # 模拟完整的多轮对话场景
        conversation_steps = [
            # 第一轮问答
            {
                'input': {
                    'question': '选择功能', 
                    'options': [
                        {'id': 'poem', 'label': '背唐诗'}, 
                        {'id': 'joke', 'label': '讲笑话'}
                    ]
                },
                'expected_output': 'poem'
            },
            # 第二轮问答
            {
                'input': {
                    'question': '选择诗人', 
                    'options': [
                        {'id': 'libai', 'label': '李白'}, 
                        {'id': 'dufu', 'label': '杜甫'}
                    ]
                },
                'expected_output': 'libai'
            }
        ]
        
        # 执行测试
        session_id = self.create_test_session()
        for step in conversation_steps:
            question_id = self.send_question(session_id, step['input'])
            answer = step['expected_output']
            result = self.submit_answer(session_id, question_id, answer)
            assert result.status == 'success'
