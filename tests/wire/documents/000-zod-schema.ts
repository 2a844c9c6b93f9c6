// ask/ask-schema.ts
import { z } from 'zod';

const QuestionOptionSchema = z.object({
  label: z.string().min(1).max(50),
  description: z.string().min(1).max(200),
});

const QuestionSchema = z.object({
  question: z.string().min(1).max(500),
  header: z.string().min(1).max(12),
  options: z.array(QuestionOptionSchema).min(2).max(4),
  multiSelect: z.boolean(),
});

// 输入 Schema
export const AskUserQuestionInputSchema = z.object({
  questions: z.array(QuestionSchema).min(1).max(4),
});

// 输出 Schema
export const AskUserQuestionOutputSchema = z.object({
  answers: z.record(z.string(), z.string()),
});
