/**
 * Creates what the demo needs and is missing: merchants with accounts at the sandbox gateways, their keys, a staff user who may sign in,
 * and a past; registers all of it at the sandbox, which has to run; and writes the demo file. Runs at every start; what is there stays as it is.
 */
import { seedDemo } from './seed/seed-demo.ts';

await seedDemo(process.env);
