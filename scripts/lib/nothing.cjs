// Stands in for a package that is bundled but never used (tsup.config.ts).
module.exports = {};
