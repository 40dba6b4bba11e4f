/* Exports for the worker, which sends the messages. */
export { type MessageTools, openMessageTools, type SendingContext } from './context.ts';
export { sendNotifications } from './notifications/send-notifications.ts';
