export { reportingListener } from './listener.ts';
