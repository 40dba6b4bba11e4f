import { describeFaults } from '../../testing/simulation/describe-faults.ts';

// Every rate, and more of chance: `health-simulation.long.test.ts`.
describeFaults({ rates: [0.3, 5], lateRates: [5, 50], seeds: 1 });
