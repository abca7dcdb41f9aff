package dev.tidemill.expr;

import dev.tidemill.data.DataType;
import dev.tidemill.expr.geo.Geo;
import java.util.List;
import java.util.Locale;
import org.locationtech.jts.geom.Geometry;

/** Functions of points and areas on the earth; the mathematics is in {@link Geo}. */
final class GeoFunctions {
    private GeoFunctions() {}

    @FunctionalInterface
    private interface Relation {
        boolean holds(Geometry a, Geometry b);
    }

    static void addTo(Functions.FunctionSet set) {
        set.category("Geo");
        set.declare(
                        "haversineKm(a, b)",
                        "The distance of two points on a sphere of radius 6371.0088 km.")
                .example("round(haversineKm('13.4,52.5', '2.35,48.86'))", "876")
                .is(
                        a ->
                                Values.finite(
                                        Geo.haversineKm(
                                                Geo.point("haversineKm", a[0]),
                                                Geo.point("haversineKm", a[1]))));
        set.declare(
                        "bearingDeg(a, b)",
                        "The initial course from a to b on the sphere, clockwise from north, 0 to below 360.")
                .example("bearingDeg('0,0', '1,0')", "90")
                .example("bearingDeg('0,0', '0,-1')", "180")
                .is(
                        a ->
                                Values.finite(
                                        Geo.bearingDeg(
                                                Geo.point("bearingDeg", a[0]),
                                                Geo.point("bearingDeg", a[1]))));
        relation(
                set,
                "geoContains(outer, inner)",
                "Whether inner lies in outer; a point on the edge does not.",
                "true",
                (x, y) -> x.contains(y));
        relation(
                set,
                "geoWithin(inner, outer)",
                "Whether inner lies in outer; a point on the edge does not.",
                "false",
                (x, y) -> y.contains(x));
        relation(
                set,
                "geoIntersects(a, b)",
                "Whether the two share a point, edges included.",
                "true",
                Geometry::intersects);
        addVolumes(set);
        addEcef(set);
    }

    private static void relation(
            Functions.FunctionSet set,
            String signature,
            String doc,
            String result,
            Relation relation) {
        String name = signature.substring(0, signature.indexOf('('));
        set.declare(signature, doc)
                .example(
                        name
                                + "('{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}', '1,1')",
                        result)
                .gives(DataType.BOOL)
                .is(a -> relation.holds(Geo.geometry(name, a[0]), Geo.geometry(name, a[1])));
    }

    private static void addVolumes(Functions.FunctionSet set) {
        set.declare(
                        "distance3dM(a, altA, b, altB)",
                        "The straight distance in metres of two points at altitudes in metres.")
                .example("round(distance3dM('0,0', 0, '0,0', 100))", "100")
                .is(
                        a ->
                                Values.finite(
                                        Geo.distance3d(
                                                Geo.point("distance3dM", a[0]),
                                                Arguments.number("distance3dM", a, 1),
                                                Geo.point("distance3dM", a[2]),
                                                Arguments.number("distance3dM", a, 3))));
        set.declare(
                        "altitudeBetween(alt, floor, ceil)",
                        "Whether floor <= alt <= ceil; a null bound is open.")
                .example("altitudeBetween(100, 0, null)", "true")
                .example("altitudeBetween(100, 200, null)", "false")
                .gives(DataType.BOOL)
                .takesNulls()
                .is(a -> a[0] == null ? null : between("altitudeBetween", a, 0));
        set.declare(
                        "geoWithinVolume(footprint, point, alt, floor, ceil)",
                        "Whether the point lies in the footprint and its altitude between the bounds; a null bound is open.")
                .example(
                        "geoWithinVolume('{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}', '1,1', 50, 0, 100)",
                        "true")
                .gives(DataType.BOOL)
                .takesNulls()
                .is(
                        a -> {
                            if (a[0] == null || a[1] == null || a[2] == null) {
                                return null;
                            }
                            return Geo.geometry("geoWithinVolume", a[0])
                                            .contains(Geo.geometry("geoWithinVolume", a[1]))
                                    && between("geoWithinVolume", a, 2);
                        });
    }

    private static boolean between(String function, Object[] a, int index) throws EvalError {
        double altitude = Arguments.number(function, a, index);
        boolean above =
                a[index + 1] == null || altitude >= Arguments.number(function, a, index + 1);
        boolean below =
                a[index + 2] == null || altitude <= Arguments.number(function, a, index + 2);
        return above && below;
    }

    private static void addEcef(Functions.FunctionSet set) {
        set.declare(
                        "geodeticToEcef(p, alt)",
                        "Earth-centred coordinates [x, y, z] in metres of a point at an altitude in metres.")
                .example("round(geodeticToEcef('0,0', 0)[0])", "6378137")
                .gives(new DataType.ListOf(DataType.FLOAT64))
                .is(
                        a -> {
                            double[] xyz =
                                    Geo.toEcef(
                                            Geo.point("geodeticToEcef", a[0]),
                                            Arguments.number("geodeticToEcef", a, 1));
                            return List.of(xyz[0], xyz[1], xyz[2]);
                        });
        set.declare(
                        "ecefToGeodetic([x, y, z])",
                        "[lon, lat, alt] of earth-centred coordinates in metres.")
                .example("round(ecefToGeodetic([6378137, 0, 0])[0])", "0")
                .gives(new DataType.ListOf(DataType.FLOAT64))
                .is(
                        a -> {
                            double[] geodetic = Geo.fromEcef(Geo.triple("ecefToGeodetic", a[0]));
                            return List.of(geodetic[0], geodetic[1], geodetic[2]);
                        });
        set.declare(
                        "groundStrike(obs, alt, az, el)",
                        "Where the line of sight of an observer (altitude in metres, azimuth and elevation in degrees) meets the ground, as \"lon,lat\" with 6 decimals; null when it does not.")
                .example("groundStrike('0,0', 1000, 0, 10)", "null")
                .example("groundStrike('10,20', 1000, 0, -90)", "'10.000000,20.000000'")
                .gives(DataType.UTF8)
                .is(
                        a -> {
                            double[] hit =
                                    Geo.groundStrike(
                                            Geo.point("groundStrike", a[0]),
                                            Arguments.number("groundStrike", a, 1),
                                            Arguments.number("groundStrike", a, 2),
                                            Arguments.number("groundStrike", a, 3));
                            return hit == null
                                    ? null
                                    : String.format(Locale.ROOT, "%.6f,%.6f", hit[0], hit[1]);
                        });
    }
}
