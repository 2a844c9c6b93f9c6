// What agents ask in these tests.

/** The plainest: pick one of two. */
export function one(over = {}) {
  return {
    asker: { agent: "claude-code", project: "shop", folder: "~/shop" },
    questions: [
      {
        question_id: "db",
        header: "Database",
        question_text: "Which database?",
        type: "multiple_choice",
        options: [
          { id: "pg", label: "PostgreSQL", description: "A server" },
          { id: "lite", label: "SQLite", description: "One file" },
        ],
      },
    ],
    ...over,
  };
}

/** The plainest, but each another question: what many agents ask at once is not all the same. */
export function one_of_many(n) {
  const ask = one({ asker: { agent: "claude-code", project: `shop-${n % 40}`, folder: `~/shop-${n % 40}` } });
  ask.questions[0].question_text = `Which database for part ${n}?`;
  return ask;
}

/** One question of every kind. */
export function every_kind(over = {}) {
  return {
    asker: { agent: "codex", project: "billing", folder: "~/billing" },
    questions: [
      {
        question_id: "way",
        header: "Way",
        question_text: "Which way?",
        description: "It can be changed later.",
        type: "multiple_choice",
        options: [
          { id: "left", label: "Left", description: "By the river" },
          { id: "right", label: "Right", description: "Over the hill" },
        ],
      },
      {
        question_id: "parts",
        header: "Parts",
        question_text: "Which parts?",
        type: "checkbox",
        options: [
          { id: "cache", label: "Caching" },
          { id: "log", label: "Logging" },
          { id: "auth", label: "Sign-in" },
        ],
      },
      { question_id: "name", header: "Name", question_text: "What is it called?", type: "text" },
      { question_id: "go", header: "Go", question_text: "Begin now?", type: "boolean" },
    ],
    ...over,
  };
}

/** A choice with a follow-up under it, and one under that; another under yes. */
export function follow_ups(over = {}) {
  return {
    asker: { agent: "claude-code", project: "shop", folder: "~/shop" },
    questions: [
      {
        question_id: "auth",
        header: "Auth",
        question_text: "Which authentication?",
        type: "multiple_choice",
        options: [
          { id: "oauth2", label: "OAuth 2.0", description: "Signs in with another account" },
          { id: "jwt", label: "JWT", description: "Stateless tokens" },
        ],
        follow_up_questions: {
          oauth2: [
            {
              question_id: "providers",
              question_text: "Which providers?",
              type: "checkbox",
              options: [
                { id: "github", label: "GitHub" },
                { id: "google", label: "Google" },
              ],
              follow_up_questions: {
                github: [{ question_id: "org", question_text: "Which organisation?", type: "text" }],
              },
            },
          ],
          jwt: [{ question_id: "days", question_text: "Valid for how many days?", type: "text" }],
        },
      },
    ],
    ...over,
  };
}

/** Marks and previews: recommended, a default, Markdown and HTML, no "Other". */
export function marks(over = {}) {
  return {
    asker: { agent: "opencode", project: "site", folder: "~/site" },
    context: "The **header** of the page is due. See `src/page.rs`.",
    questions: [
      {
        question_id: "look",
        header: "Look",
        question: "Which look?",
        type: "multiple_choice",
        other: false,
        options: [
          {
            id: "calm",
            label: "Calm",
            description: "Much room",
            recommended: true,
            preview: "# Calm\n\n- one column\n- `pre { margin: 0 }`\n\n```\n+-----+\n|     |\n+-----+\n```",
          },
          {
            id: "busy",
            label: "Busy",
            description: "Everything at once",
            default: true,
            preview: "<h1 style='color:red'>Busy</h1><p>All of it</p>",
            preview_format: "html",
          },
        ],
      },
    ],
    ...over,
  };
}

/** A question that a row shows whole: yes or no. */
export function yes_no(text, over = {}) {
  return {
    asker: { agent: "claude-code", project: "shop" },
    questions: [{ question_id: "go", question_text: text, type: "boolean" }],
    ...over,
  };
}
