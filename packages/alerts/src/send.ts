/* What the worker sends messages with. */
export { type AlertsContext, type MessageTools, openMessageTools } from './context.ts';
export { sendNotifications } from './notifications/send-notifications.ts';
