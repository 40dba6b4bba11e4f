import { describeFaults } from '../../testing/simulation/describe-faults.ts';

describeFaults({ rates: [0.3, 1, 5, 50], lateRates: [0.3, 1, 5, 50], seeds: 4 });
