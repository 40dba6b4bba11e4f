export type { SandboxOptions } from './options.ts';
export { type Sandbox, startSandbox } from './sandbox.ts';
export { PortUnavailable } from './server/listener.ts';
