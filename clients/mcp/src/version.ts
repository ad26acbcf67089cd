/** The version of the package, which the protocol shows. */
export const version = '0.2.0';
