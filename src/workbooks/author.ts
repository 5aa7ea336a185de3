/** Who has made the workbooks of the service, and the comments in them. */
export const AUTHOR = 'Sample Registry';
