import { ToolError } from '@atoll-mcp/core';

export const unknownResult = () =>
  new ToolError(
    'UNKNOWN_RESULT',
    'Result not found: it has expired, was evicted, or belongs to another caller; make the call again',
  );

export const badPath = (path: string) =>
  new ToolError('BAD_PATH', `"${path}" is not a path; write it as rows[3].name or ["any name"][0]`);

export const noSuchPath = (path: string, step: string) =>
  new ToolError('BAD_PATH', `"${path}" does not exist: "${step}" was not found`);

export const badRange = (range: string) =>
  new ToolError('BAD_RANGE', `"${range}" is not a range; write it as "0:50", end exclusive; "50:" goes to the end`);

export const cannotSave = (as: string, tool: string) =>
  new ToolError('NOT_AVAILABLE', `A result cannot be saved as a ${as} here: the tool ${tool} is not available to you`);

export const notSaved = (tool: string, message: string) =>
  new ToolError('NOT_SAVED', `${tool} did not store it: ${message}`);

export const noTableTensor = (tool: string) =>
  new ToolError('NOT_AVAILABLE', `A query cannot become a tensor here: the tool ${tool} is not available to you`);

export const queryFailed = (problem: string) => new ToolError('QUERY_FAILED', problem);

export const noRecords = () =>
  new ToolError(
    'NOT_SAVED',
    'A .csv file takes a list of records or of rows; give the path of such a list, or a name that ends in .json',
  );
