/** Path of the MCP server on the web process. */
export const MCP_PATH = '/api/mcp';
