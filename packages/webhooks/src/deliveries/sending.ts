/* Sending and signing of messages beside deliveries, to addresses that are guarded in the same way. */

export { urlProblems } from '../endpoints/endpoint-fields.ts';
export { makeEndpointSecret } from '../endpoints/endpoint-secrets.ts';
export { openSender, type Sender, type SendFailure } from './send.ts';
export { signedHeaders } from './sign.ts';
