import unittest
from unittest.mock import Mock, patch

class TestAskUserQuestion(unittest.TestCase):
    def setUp(self):
        self.runner = Mock()
        self.dialog = AskUserQuestionDialog()
    
    def test_single_choice_question(self):
        """测试单选问题"""
        question_data = {
            'question_id': 'test_question',
            'question_text': '选择一个选项',
            'type': 'multiple_choice',
            'options': [
                {'id': 'opt1', 'label': '选项1'},
                {'id': 'opt2', 'label': '选项2'}
            ],
            'required': True
        }
        
        # 模拟用户选择
        with patch('builtins.input', return_value='选项1'):
            result = self.dialog._process_answer(question_data)
            self.assertEqual(result, '选项1')
    
    def test_multi_choice_question(self):
        """测试多选问题"""
        question_data = {
            'question_id': 'test_multi',
            'question_text': '选择多个选项',
            'type': 'checkbox',
            'options': [
                {'id': 'A', 'label': 'A'}, 
                {'id': 'B', 'label': 'B'}, 
                {'id': 'C', 'label': 'C'}
            ],
            'required': True
        }
        
        # 模拟用户多选
        with patch('builtins.input', return_value=['A', 'C']):
            result = self.dialog._process_answer(question_data)
            self.assertEqual(result, ['A', 'C'])
