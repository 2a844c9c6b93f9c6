//! What is read off the JSON-RPC messages of a session, without answering them.

use axum::http::request::Parts;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetExtensions, JsonRpcMessage, ProtocolVersion,
    RequestId, ServerJsonRpcMessage, ServerResult,
};

use super::desk::Guest;

/// Whether a message calls a tool.
pub(super) fn is_call(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Request(request) = message else { return false };
    matches!(request.request, ClientRequest::CallToolRequest(_))
}

/// Who sent a request.
pub(super) fn guest(message: &mut ClientJsonRpcMessage) -> Option<&mut Guest> {
    let JsonRpcMessage::Request(request) = message else { return None };
    request.request.extensions_mut().get_mut::<Parts>()?.extensions.get_mut()
}

/// Which request a message cancels.
pub(super) fn cancelled(message: &ClientJsonRpcMessage) -> Option<&RequestId> {
    let JsonRpcMessage::Notification(said) = message else { return None };
    let ClientNotification::CancelledNotification(cancelled) = &said.notification else { return None };
    cancelled.params.request_id.as_ref()
}

/// The name of the stream that an event belongs to: its number and that, `7/3`.
pub(super) fn stream_name(event_id: &str) -> Option<&str> {
    event_id.split_once('/').map(|(_, stream)| stream)
}

/// The version of the protocol that a handshake agreed on.
pub(super) fn version(said: &ServerJsonRpcMessage) -> Option<&ProtocolVersion> {
    match said {
        JsonRpcMessage::Response(response) => match &response.result {
            ServerResult::InitializeResult(result) => Some(&result.protocol_version),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a message is the request with this id.
pub(super) fn is_request(message: &ClientJsonRpcMessage, id: &RequestId) -> bool {
    matches!(message, JsonRpcMessage::Request(request) if request.id == *id)
}
