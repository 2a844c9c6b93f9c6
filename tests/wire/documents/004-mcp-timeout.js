{
  content: [
    {
      type: "text",
      text: "ask_user timeout: no response. Please decide whether to retry when the user sends a new message."
    }
  ],
  isError: true
}
