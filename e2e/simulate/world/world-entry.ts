/* The surroundings of our processes: gateways, customers and merchants. Bundled, and evaluated anew for each world, on the world's time. */

export { driveSimulatedWorld } from './drive-simulated-world.ts';
