export { packCall, readCall } from './packed-call.ts';
