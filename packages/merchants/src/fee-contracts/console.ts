export { type AddContractOutcome, addContract, CONTRACT_ZONE, USUAL_TOLERANCE } from './add-contract.ts';
export { enteredSchedule } from './entered-contract.ts';
