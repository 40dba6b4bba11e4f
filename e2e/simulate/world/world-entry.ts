/* Gateways, customers and merchants of a world. Bundled, and evaluated anew for each world, on the world's time. */

export { driveSimulatedWorld } from './drive-simulated-world.ts';
