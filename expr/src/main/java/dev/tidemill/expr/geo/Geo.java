package dev.tidemill.expr.geo;

import dev.tidemill.data.JsonText;
import dev.tidemill.expr.EvalError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Polygon;

/**
 * Points and areas in WGS 84. Relations of areas are planar, in degrees (JTS); distances and courses are on a sphere; earth-centred coordinates on the
 * ellipsoid.
 */
public final class Geo {
    private static final double RADIUS_KM = 6371.0088;

    /** Semi-major axis in metres and flattening of WGS 84. */
    private static final double A = 6_378_137.0;

    private static final double F = 1 / 298.257223563;
    private static final double B = A * (1 - F);
    private static final double E2 = F * (2 - F);
    private static final GeometryFactory GEOMETRIES = new GeometryFactory();

    private Geo() {}

    /** A point from {@code "lon,lat[,alt]"}, {@code [lon, lat(, alt)]} or a GeoJSON Point as text or object. */
    public static GeoPoint point(String function, Object value) throws EvalError {
        Object parsed = parsed(value);
        if (parsed instanceof Map<?, ?> map && "Point".equals(map.get("type"))) {
            parsed = map.get("coordinates");
        }
        if (parsed instanceof List<?> list
                && (list.size() == 2 || list.size() == 3)
                && list.get(0) instanceof Number lon
                && list.get(1) instanceof Number lat) {
            return checked(function, lon.doubleValue(), lat.doubleValue());
        }
        if (parsed instanceof String text) {
            return fromText(function, text);
        }
        throw noPoint(function, value);
    }

    private static Object parsed(Object value) {
        if (value instanceof String text
                && !text.isBlank()
                && "{[".indexOf(text.strip().charAt(0)) >= 0) {
            try {
                return JsonText.parse(text.strip());
            } catch (RuntimeException e) {
                return value;
            }
        }
        return value;
    }

    private static GeoPoint fromText(String function, String text) throws EvalError {
        String[] parts = text.split(",", -1);
        if (parts.length != 2 && parts.length != 3) {
            throw noPoint(function, text);
        }
        try {
            for (String part : parts) {
                Double.parseDouble(part.strip());
            }
            return checked(
                    function,
                    Double.parseDouble(parts[0].strip()),
                    Double.parseDouble(parts[1].strip()));
        } catch (NumberFormatException e) {
            throw noPoint(function, text);
        }
    }

    private static GeoPoint checked(String function, double lon, double lat) throws EvalError {
        if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90)) {
            throw new EvalError(
                    function + ": " + lon + "," + lat + " is no longitude and latitude");
        }
        return new GeoPoint(lon, lat);
    }

    private static EvalError noPoint(String function, Object value) {
        return new EvalError(
                function + " needs a point such as \"13.4,52.5\", found " + JsonText.of(value));
    }

    /** Three coordinates in metres. */
    public static double[] triple(String function, Object value) throws EvalError {
        if (value instanceof List<?> list && list.size() == 3) {
            double[] out = new double[3];
            for (int i = 0; i < 3; i++) {
                if (!(list.get(i) instanceof Number number)) {
                    throw new EvalError(function + " needs three numbers");
                }
                out[i] = number.doubleValue();
            }
            return out;
        }
        throw new EvalError(function + " needs a list [x, y, z]");
    }

    /** A geometry from GeoJSON as text or object, or a point as in {@link #point}. */
    public static Geometry geometry(String function, Object value) throws EvalError {
        Object parsed = parsed(value);
        if (!(parsed instanceof Map<?, ?> map)) {
            GeoPoint point = point(function, value);
            return GEOMETRIES.createPoint(new Coordinate(point.lon(), point.lat()));
        }
        try {
            return fromGeoJson(function, map);
        } catch (IllegalArgumentException
                | ClassCastException
                | IndexOutOfBoundsException
                | NullPointerException e) {
            throw new EvalError(function + ": this is no GeoJSON geometry: " + e.getMessage());
        }
    }

    private static Geometry fromGeoJson(String function, Map<?, ?> map) throws EvalError {
        Object type = map.get("type");
        if ("Feature".equals(type)) {
            return fromGeoJson(function, (Map<?, ?>) map.get("geometry"));
        }
        List<?> coordinates = (List<?>) map.get("coordinates");
        return switch (String.valueOf(type)) {
            case "Point" -> GEOMETRIES.createPoint(coordinate(coordinates));
            case "MultiPoint" -> GEOMETRIES.createMultiPointFromCoords(coordinates(coordinates));
            case "LineString" -> GEOMETRIES.createLineString(coordinates(coordinates));
            case "MultiLineString" ->
                    GEOMETRIES.createMultiLineString(
                            coordinates.stream()
                                    .map(
                                            line ->
                                                    GEOMETRIES.createLineString(
                                                            coordinates((List<?>) line)))
                                    .toArray(org.locationtech.jts.geom.LineString[]::new));
            case "Polygon" -> polygon(coordinates);
            case "MultiPolygon" ->
                    GEOMETRIES.createMultiPolygon(
                            coordinates.stream()
                                    .map(p -> polygon((List<?>) p))
                                    .toArray(Polygon[]::new));
            case "GeometryCollection" -> collection(function, (List<?>) map.get("geometries"));
            default -> throw new EvalError(function + ": '" + type + "' is no GeoJSON geometry");
        };
    }

    private static Geometry collection(String function, List<?> members) throws EvalError {
        List<Geometry> out = new ArrayList<>();
        for (Object member : members) {
            out.add(fromGeoJson(function, (Map<?, ?>) member));
        }
        return GEOMETRIES.buildGeometry(out).union();
    }

    private static Polygon polygon(List<?> rings) {
        LinearRing shell = GEOMETRIES.createLinearRing(coordinates((List<?>) rings.getFirst()));
        LinearRing[] holes =
                rings.stream()
                        .skip(1)
                        .map(ring -> GEOMETRIES.createLinearRing(coordinates((List<?>) ring)))
                        .toArray(LinearRing[]::new);
        return GEOMETRIES.createPolygon(shell, holes);
    }

    private static Coordinate[] coordinates(List<?> points) {
        return points.stream().map(point -> coordinate((List<?>) point)).toArray(Coordinate[]::new);
    }

    private static Coordinate coordinate(List<?> point) {
        return new Coordinate(
                ((Number) point.get(0)).doubleValue(), ((Number) point.get(1)).doubleValue());
    }

    public static double haversineKm(GeoPoint a, GeoPoint b) {
        double lat1 = Math.toRadians(a.lat());
        double lat2 = Math.toRadians(b.lat());
        double sinLat = Math.sin((lat2 - lat1) / 2);
        double sinLon = Math.sin(Math.toRadians(b.lon() - a.lon()) / 2);
        double h = sinLat * sinLat + Math.cos(lat1) * Math.cos(lat2) * sinLon * sinLon;
        return 2 * RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
    }

    public static double bearingDeg(GeoPoint a, GeoPoint b) {
        double lat1 = Math.toRadians(a.lat());
        double lat2 = Math.toRadians(b.lat());
        double lon = Math.toRadians(b.lon() - a.lon());
        double y = Math.sin(lon) * Math.cos(lat2);
        double x =
                Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(lon);
        double degrees = (Math.toDegrees(Math.atan2(y, x)) + 360) % 360;
        return degrees == 0 ? 0 : degrees;
    }

    public static double distance3d(GeoPoint a, double altA, GeoPoint b, double altB) {
        double[] p = toEcef(a, altA);
        double[] q = toEcef(b, altB);
        double dx = p[0] - q[0];
        double dy = p[1] - q[1];
        double dz = p[2] - q[2];
        return Math.sqrt(dx * dx + dy * dy + dz * dz);
    }

    /** x, y, z in metres. */
    public static double[] toEcef(GeoPoint point, double altitude) {
        double lat = Math.toRadians(point.lat());
        double lon = Math.toRadians(point.lon());
        double n = A / Math.sqrt(1 - E2 * Math.sin(lat) * Math.sin(lat));
        double r = (n + altitude) * Math.cos(lat);
        return new double[] {
            r * Math.cos(lon), r * Math.sin(lon), (n * (1 - E2) + altitude) * Math.sin(lat)
        };
    }

    /** lon, lat in degrees and altitude in metres, by B. R. Bowring's method (1976), iterated until it stands. */
    public static double[] fromEcef(double[] xyz) {
        double p = Math.hypot(xyz[0], xyz[1]);
        double z = xyz[2];
        double lon = p == 0 ? 0 : Math.toDegrees(Math.atan2(xyz[1], xyz[0]));
        double ep2 = E2 / (1 - E2);
        double beta = Math.atan2(A * z, B * p);
        double lat = 0;
        for (int i = 0; i < 5; i++) {
            double s = Math.sin(beta);
            double c = Math.cos(beta);
            lat = Math.atan2(z + ep2 * B * s * s * s, p - E2 * A * c * c * c);
            beta = Math.atan2((1 - F) * Math.sin(lat), Math.cos(lat));
        }
        double sin = Math.sin(lat);
        double n = A / Math.sqrt(1 - E2 * sin * sin);
        // Near the poles the height comes from z, elsewhere from the distance to the axis: each
        // where it is well-conditioned.
        double altitude =
                Math.abs(lat) < Math.PI / 4 ? p / Math.cos(lat) - n : z / sin - n * (1 - E2);
        return new double[] {lon, Math.toDegrees(lat), altitude};
    }

    /** lon, lat where the ray from the observer first meets the ellipsoid, or null. */
    public static double[] groundStrike(
            GeoPoint observer, double altitude, double azimuth, double elevation) {
        double[] o = toEcef(observer, altitude);
        double[] d = direction(observer, Math.toRadians(azimuth), Math.toRadians(elevation));
        double a2 = A * A;
        double b2 = B * B;
        double qa = (d[0] * d[0] + d[1] * d[1]) / a2 + d[2] * d[2] / b2;
        double qb = 2 * ((o[0] * d[0] + o[1] * d[1]) / a2 + o[2] * d[2] / b2);
        double qc = (o[0] * o[0] + o[1] * o[1]) / a2 + o[2] * o[2] / b2 - 1;
        double discriminant = qb * qb - 4 * qa * qc;
        if (discriminant < 0) {
            return null;
        }
        double t = (-qb - Math.sqrt(discriminant)) / (2 * qa);
        if (t < 0) {
            return null;
        }
        double[] hit = fromEcef(new double[] {o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]});
        return new double[] {hit[0], hit[1]};
    }

    private static double[] direction(GeoPoint observer, double azimuth, double elevation) {
        double lat = Math.toRadians(observer.lat());
        double lon = Math.toRadians(observer.lon());
        double east = Math.cos(elevation) * Math.sin(azimuth);
        double north = Math.cos(elevation) * Math.cos(azimuth);
        double up = Math.sin(elevation);
        return new double[] {
            -Math.sin(lon) * east
                    - Math.sin(lat) * Math.cos(lon) * north
                    + Math.cos(lat) * Math.cos(lon) * up,
            Math.cos(lon) * east
                    - Math.sin(lat) * Math.sin(lon) * north
                    + Math.cos(lat) * Math.sin(lon) * up,
            Math.cos(lat) * north + Math.sin(lat) * up
        };
    }
}
