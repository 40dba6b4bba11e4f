export { createEndpoint } from './create-endpoint.ts';
export { type EndpointInList, findEndpoint, listEndpoints } from './list-endpoints.ts';
export { listSwitchedOffEndpoints } from './list-switched-off-endpoints.ts';
export { removeEndpoint } from './remove-endpoint.ts';
export { endPreviousSecret, rotateEndpointSecret } from './rotate-endpoint-secret.ts';
export { sealedEndpointSecrets } from './sealed-endpoint-secrets.ts';
export { sendTestEvent } from './send-test-event.ts';
export { switchOffEndpoint, switchOnEndpoint } from './switch-endpoint.ts';
export { updateEndpoint } from './update-endpoint.ts';
