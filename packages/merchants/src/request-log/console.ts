export { findApiRequest, type ListedApiRequest, listApiRequests, REQUEST_OUTCOMES } from './list-requests.ts';
