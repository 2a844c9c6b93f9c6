askUser(questions, {
  timeoutMs,
  onTimeout: "abort_task" | "return_cancel",
  cancelStatus: "timeout" | "cancelled",
})
