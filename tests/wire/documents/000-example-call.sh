AskUserQuestion '{"questions":[
  {
    "question":"Which authentication method should we use?",
    "header":"Auth method",
    "options":[
      {"label":"OAuth 2.0","description":"Industry standard, supports social login"},
      {"label":"JWT","description":"Stateless tokens, good for APIs"}
    ],
    "multiSelect":false
  }
]}'
