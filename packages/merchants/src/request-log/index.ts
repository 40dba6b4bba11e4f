export { ageOutApiRequests, eraseRequestBodies } from './remove-requests.ts';
export { type FinishedRequest, openRequestLog, type RequestLog } from './request-log.ts';
