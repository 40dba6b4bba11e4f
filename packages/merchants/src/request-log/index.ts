export { eraseRequestsOf, readRequestsOf } from './customers.ts';
export { ageOutApiRequests } from './remove-requests.ts';
export { type FinishedRequest, openRequestLog, type RequestLog } from './request-log.ts';
