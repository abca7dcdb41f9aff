package dev.tidemill.expr.geo;

/** A point of WGS 84, in degrees. */
public record GeoPoint(double lon, double lat) {}
