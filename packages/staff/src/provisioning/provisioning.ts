export {
  changeProvisionedGroup,
  createProvisionedGroup,
  deleteProvisionedGroup,
  findProvisionedGroup,
  type GroupFields,
  type GroupRefusal,
  listProvisionedGroups,
  type ProvisionedGroup,
  type SaveGroupOutcome,
} from './groups.ts';
export {
  authenticateScimToken,
  type IssueScimTokenOutcome,
  issueScimToken,
  listProvisioningProviders,
  revokeScimToken,
  type ScimAccess,
} from './tokens.ts';
export {
  changeProvisionedUser,
  createProvisionedUser,
  deleteProvisionedUser,
  findProvisionedUser,
  listProvisionedUsers,
  type ProvisionedUser,
  type SaveUserOutcome,
  type UserFields,
  type UserRefusal,
} from './users.ts';
