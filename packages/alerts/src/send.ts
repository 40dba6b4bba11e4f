/* Exports for the worker, which sends the messages. */
export { type AlertsContext, type MessageTools, openMessageTools } from './context.ts';
export { sendNotifications } from './notifications/send-notifications.ts';
