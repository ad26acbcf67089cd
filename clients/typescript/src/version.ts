/** The version of this package, in `User-Agent`. */
export const version = '0.2.0';
