export { sendResponse } from './send-response.ts';
